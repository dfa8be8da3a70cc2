/** Notes which entities name a text and which hide it, when a command writes to an entity. */
import type { EntityEntries, RegisterEntry } from '../fold/registers.ts'
import type { ContentStatements } from './statements.ts'

/** Notes the texts that entries of an entity name, and whether the entity hides its texts: see `Content.named`. */
export function noteNames(
  statements: ContentStatements,
  p: number,
  project: string,
  { entity, byName }: EntityEntries,
  written: readonly RegisterEntry[],
  nowMs: number,
): void {
  const isHidden = isRedacted(byName.get('redacted') ?? [])
  const touched = new Set<string>()
  for (const { name, value } of written) {
    if (name !== 'bodyHash' || value === 'null') continue
    const hash = JSON.parse(value) as string
    statements.insertName({ hash, p, entity, isHidden })
    touched.add(hash)
  }
  if (written.some(({ name }) => name === 'redacted'))
    for (const hash of statements.setHidden(p, entity, isHidden)) touched.add(hash)
  for (const hash of touched) {
    if (isHidden) statements.redact(hash)
    statements.setUnwanted(hash, statements.isShown(hash) ? null : nowMs)
    statements.setUnwantedIn(hash, project, statements.isShownIn(hash, p) ? null : nowMs)
  }
}

/** Of several values true wins. */
function isRedacted(redactions: readonly RegisterEntry[]): boolean {
  return redactions.some(({ value }) => value === 'true')
}
