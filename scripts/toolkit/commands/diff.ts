/** `svc-build diff`: lists the differences of two builds. */
import { isObject } from '../../../core/kernel/values.ts'
import { bold } from '../console.ts'
import { type Change, compare, kinds } from '../diff/compare.ts'
import { distAt } from '../diff/revision.ts'
import { EXIT, toolFail } from '../errors.ts'
import { DIST_WORD, openDist } from '../open-dist.ts'
import type { Tool, ToolIo } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<a> <b> | --git <revision> <revision> <profile>',
  about: `What changes from a to b: features, variants, routes, settings and their defaults, built-ins, packages, licences, bytes,
and what a client or an operator would notice. a and b are each ${DIST_WORD}.`,
  example: `svc-build diff minimal server-full
svc-build diff --git v1.0.0 HEAD edge.ts --fail-on=route,setting,licence`,
  options: {
    git: { type: 'boolean', summary: 'compare a profile as it was at two revisions of this repository' },
    'fail-on': {
      type: 'string',
      multiple: true,
      value: 'KINDS',
      summary: `exit with 1 where one of these differs: ${kinds.join(', ')}, or any`,
    },
  },
  words: [2, 3],
  run: async ({ words, flag, values, io }) => {
    const [a, b, profile] = words as [string, string, string?]
    if (flag('git') !== (profile !== undefined)) {
      throw toolFail('ERR_TOOL_USAGE', { message: 'Two builds, or --git with two revisions and a profile.' })
    }
    const failOn = values('fail-on')
    const unknown = failOn.find((kind) => kind !== 'any' && !(kinds as readonly string[]).includes(kind))
    if (unknown !== undefined) {
      throw toolFail('ERR_TOOL_USAGE', {
        message: `"${unknown}" is no kind of difference.`,
        hint: `They are ${kinds.join(', ')}.`,
      })
    }
    const open = async (word: string) => {
      if (profile === undefined) return (await openDist(word)).account
      io.step(`${profile} at ${word}`)
      return distAt(word, profile).account
    }
    const [one, other] = [await open(a), await open(b)]
    const changes = compare(one, other)
    const failing = changes.filter(({ kind }) => failOn.includes(kind) || failOn.includes('any'))
    show(`${one.profile} → ${other.profile}`, changes, io)
    if (failing.length > 0) io.note(`${failing.length} of the differences are of a kind that --fail-on names.`)
    const json = { from: one.profile, to: other.profile, changes, failing: failing.length }
    return { json, code: failing.length > 0 ? EXIT.failed : EXIT.done }
  },
}

function show(title: string, changes: readonly Change[], io: ToolIo): void {
  io.out(bold(io, changes.length === 0 ? `${title}: no difference` : title))
  for (const kind of kinds) {
    const of = changes.filter((change) => change.kind === kind)
    if (of.length > 0) io.out(`${kind}:`)
    for (const change of of) io.out(`  ${line(change)}`)
  }
  const noticed = changes.flatMap((change) => change.noticed ?? [])
  if (noticed.length > 0) io.out('noticed by clients and operators:')
  for (const text of noticed) io.out(`  ${text}`)
}

function line({ name, file, from, to }: Change): string {
  const where = file === undefined ? name : `${file} ${name}`
  if (typeof from === 'number' && typeof to === 'number') {
    return `~ ${where}: ${from} → ${to} (${to > from ? '+' : '−'}${Math.abs(to - from)})`
  }
  if (from === null) return `+ ${where}${to === true ? '' : `: ${text(to)}`}`
  if (to === null) return `- ${where}${from === true ? '' : `: ${text(from)}`}`
  return `~ ${where}: ${text(from)} → ${text(to)}`
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (isObject(value)) {
    return Object.entries(value)
      .map(([form, choice]) => (choice === true ? form : `${form}=${choice}`))
      .join(', ')
  }
  return JSON.stringify(value)
}
