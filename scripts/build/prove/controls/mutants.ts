/** The mutants of a target: its generated text, each time with the define of one absent feature switched on. */
import { conditionalImport, type Generated, generateTarget } from '../../generate/generate.ts'
import { defineName } from '../../plan/defines.ts'
import type { PlannedFeature } from '../../plan/plan-feature.ts'
import type { Plan, TargetPlan } from '../../plan/target-plan.ts'

/**
 * The text that the controls bundle: the text of `target`, preceded by one conditional import for each absent feature that the
 * text does not import (commands in a library, code that only other features import). Without a define that is switched on, it
 * gives the delivered bundle.
 */
export function controlText(plan: Plan, target: TargetPlan, absent: readonly PlannedFeature[]): Generated {
  const generated = generateTarget(plan, target)
  const lines = absent.map(({ id, feature: { plugin, exports = {}, commands, main, code } }) => {
    if (plugin !== undefined) return ''
    const modules = [code, commands, main, ...Object.values(exports)].filter((module) => module !== undefined)
    return conditionalImport(generated.folder, id, modules)
  })
  const entry = `${lines.join('')}${generated.files['entry.ts']}`
  return { ...generated, files: { ...generated.files, 'entry.ts': entry } }
}

/** A text with the define of an absent feature switched on. */
export function switchedOn(text: Generated, { id, variant }: PlannedFeature): Generated {
  const defines = { ...text.target.defines, [defineName(id)]: variant ?? true }
  return { ...text, target: { ...text.target, defines } }
}
