/** What differs from one run of a story to the next, and the words that stand for it in the page. */

const masks: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\bsvc_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}/g, '<key>'],
  [/(?<![\w+/])[\w+/]{86}==/g, '<signature>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b(?:[0-9a-f]{128}|[0-9a-f]{64})\b/g, '<hash>'],
  [/\b[0-9a-f]{32}\b/g, '<id>'],
  // Which candidate of a conflict comes first depends on ids.
  [/(?<="rank":"V"\} )\((?:Doing|Done)\)/g, '(<column>)'],
  // The beginnings of ids that `svc board` prints; eight characters, so that tables keep their columns.
  [/\b(?:[0-9a-f]{12}|(?<=ed25519:|^ *| {2})[0-9a-f]{8})(?![\w-])/gm, '<prefix>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\b[12]\d{12}\b/g, '<ms>'],
  [/(?<=_(?:ms|seconds)":)\d+(?:\.\d+)?/g, '<n>'],
  // What there is more or less of with each change of this project.
  [/\b\d+(?= proven absent)/g, '<n>'],
  [/\b\d+\.\d(?= (?:KiB|MiB|s)\b)/g, '<n>'],
]

/** What one run has of its own. */
export interface Surroundings {
  /** Real paths with the path that stands for each. */
  readonly paths: Readonly<Record<string, string>>
  /** Ports as the page has them, with those that the run has. */
  readonly ports: Readonly<Record<string, number>>
}

/** Text of the page as the run gets it: with ports that are free. */
export function toRun(text: string, { ports }: Surroundings): string {
  return text.replace(/\b\d{4}\b/g, (digits) => String(ports[digits] ?? digits))
}

/** What the run printed as the page has it. */
export function toPage(printed: string, { paths, ports }: Surroundings): string {
  let text = printed.replace(/[ \t]+$/gm, '').trimEnd()
  for (const [path, shown] of Object.entries(paths).sort(([a], [b]) => b.length - a.length))
    text = text.replaceAll(path, shown)
  for (const [shown, port] of Object.entries(ports)) text = text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), shown)
  for (const [found, shown] of masks) text = text.replaceAll(found, shown)
  return text
}

/** What a page with made-up ids and what was printed have in common. */
export function maskIds(text: string): string {
  let masked = text.replace(/\b[0-9a-f]{64}\b|\b[0-9a-f]{6}…/g, '<hash>')
  for (const [found, shown] of masks) masked = masked.replaceAll(found, shown)
  return masked.replace(/\b1[45] min left/g, '<left>')
}
