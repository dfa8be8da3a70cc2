/** Values that differ between two runs of a story, and their placeholders in the page. */

const masks: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\bsvc_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}/g, '<key>'],
  [/(?<![\w+/])[\w+/]{86}==/g, '<signature>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b(?:[0-9a-f]{128}|[0-9a-f]{64})\b/g, '<hash>'],
  [/\b[0-9a-f]{32}\b/g, '<id>'],
  // The order of the candidates of a conflict depends on ids.
  [/(?<="rank":"V"\} )\((?:Doing|Done)\)/g, '(<column>)'],
  // The beginnings of ids that `svc board` prints. The placeholder has eight characters, so that tables keep their
  // columns.
  [/\b(?:[0-9a-f]{12}|(?<=ed25519:|^ *| {2})[0-9a-f]{8})(?![\w-])/gm, '<prefix>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\b[12]\d{12}\b/g, '<ms>'],
  [/(?<=_(?:ms|seconds)":)\d+(?:\.\d+)?/g, '<n>'],
  // Numbers that change with each change of this project.
  [/\b\d+(?= proven absent)/g, '<n>'],
  [/\b\d+\.\d(?= (?:KiB|MiB|s)\b)/g, '<n>'],
]

/** Values that are specific to one run. */
export interface Surroundings {
  /** The path that the page shows for each real path. */
  readonly paths: Readonly<Record<string, string>>
  /** The real port of the run for each port of the page. */
  readonly ports: Readonly<Record<string, number>>
}

/** Converts text of the page for the run: replaces its ports with free ports. */
export function toRun(text: string, { ports }: Surroundings): string {
  return text.replace(/\b\d{4}\b/g, (digits) => String(ports[digits] ?? digits))
}

/**
 * Converts output of the run for the page: replaces real paths and ports, and masks values that differ between runs.
 */
export function toPage(printed: string, { paths, ports }: Surroundings): string {
  let text = printed.replace(/[ \t]+$/gm, '').trimEnd()
  for (const [path, shown] of Object.entries(paths).sort(([a], [b]) => b.length - a.length))
    text = text.replaceAll(path, shown)
  for (const [shown, port] of Object.entries(ports)) text = text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), shown)
  for (const [found, shown] of masks) text = text.replaceAll(found, shown)
  return text
}

/** Masks all ids, so that a page with made-up ids can be compared with real output. */
export function maskIds(text: string): string {
  let masked = text.replace(/\b[0-9a-f]{64}\b|\b[0-9a-f]{6}…/g, '<hash>')
  for (const [found, shown] of masks) masked = masked.replaceAll(found, shown)
  return masked.replace(/\b1[45] min left/g, '<left>')
}
