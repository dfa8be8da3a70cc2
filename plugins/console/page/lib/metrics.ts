/** Reads the Prometheus text format (version 0.0.4) as far as the page needs it. */

/** One sample: its labels and its value. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The samples of a scrape, by name. */
export type Scrape = ReadonlyMap<string, readonly Sample[]>

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', '"': '"', '\\': '\\' }

/** Parses a scrape. Lines that are no samples are skipped. */
export function parseScrape(text: string): Scrape {
  const found = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, labelText = '', value] = LINE.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const labels: Record<string, string> = {}
    for (const [, label = '', escaped = ''] of labelText.matchAll(LABEL))
      labels[label] = escaped.replace(/\\(.)/g, (_, char: string) => ESCAPED[char] ?? char)
    const samples = found.get(name) ?? []
    samples.push({ labels, value: Number(value.replace('+Inf', 'Infinity')) })
    found.set(name, samples)
  }
  return found
}

/** The sum of all samples of a name; 0 where there is none. */
export function sumOf(scrape: Scrape, name: string): number {
  return (scrape.get(name) ?? []).reduce((sum, { value }) => sum + value, 0)
}

/** The upper bounds of a histogram and how many observations are at or below each, over all its labels; bounds ascending. */
export function bucketsOf(scrape: Scrape, name: string): readonly (readonly [bound: number, count: number])[] {
  const counts = new Map<number, number>()
  for (const { labels, value } of scrape.get(`${name}_bucket`) ?? []) {
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le'])
    counts.set(bound, (counts.get(bound) ?? 0) + value)
  }
  return [...counts].sort(([one], [other]) => one - other)
}

/**
 * The quantile of what was observed between two states of a histogram, by linear interpolation within its bucket, as
 * `histogram_quantile` of Prometheus does. Undefined if nothing was observed.
 */
export function quantileBetween(
  before: ReturnType<typeof bucketsOf>,
  after: ReturnType<typeof bucketsOf>,
  quantile: number,
): number | undefined {
  const old = new Map(before)
  const grown = after.map(([bound, count]) => [bound, count - (old.get(bound) ?? 0)] as const)
  const total = grown.at(-1)?.[1] ?? 0
  if (total <= 0) return undefined
  const rank = quantile * total
  let [lower, below] = [0, 0]
  for (const [bound, count] of grown) {
    if (count >= rank)
      return bound === Infinity ? lower : lower + ((bound - lower) * (rank - below)) / (count - below || 1)
    lower = bound
    below = count
  }
  return undefined
}
