/** Parses the part of the Prometheus text format (version 0.0.4) that the page needs. */

/** One sample: its labels and its value. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The samples of a scrape by the name of the metric. */
export type Scrape = ReadonlyMap<string, readonly Sample[]>

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', '"': '"', '\\': '\\' }

/** Parses a scrape. Other lines than samples are skipped. */
export function parseScrape(text: string): Scrape {
  const samplesByName = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, labelText = '', value] = LINE.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const labels: Record<string, string> = {}
    for (const [, label = '', escaped = ''] of labelText.matchAll(LABEL))
      labels[label] = escaped.replace(/\\(.)/g, (_, char: string) => ESCAPED[char] ?? char)
    const samples = samplesByName.get(name) ?? []
    samples.push({ labels, value: Number(value.replace('+Inf', 'Infinity')) })
    samplesByName.set(name, samples)
  }
  return samplesByName
}

/** A scrape without the samples of a metric whose labels match. */
export function without(
  scrape: Scrape,
  names: readonly string[],
  matches: (labels: Sample['labels']) => boolean,
): Scrape {
  const replacements = names.map(
    (name) => [name, (scrape.get(name) ?? []).filter(({ labels }) => !matches(labels))] as const,
  )
  return new Map([...scrape, ...replacements])
}

/** The sum of all samples of a metric; 0 if there are none. */
export function sumOf(scrape: Scrape, name: string): number {
  return (scrape.get(name) ?? []).reduce((sum, { value }) => sum + value, 0)
}

/**
 * The upper bounds of a histogram in ascending order, each with the number of observations up to it, summed over all
 * labels.
 */
export function bucketsOf(scrape: Scrape, name: string): readonly (readonly [bound: number, count: number])[] {
  const counts = new Map<number, number>()
  for (const { labels, value } of scrape.get(`${name}_bucket`) ?? []) {
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le'])
    counts.set(bound, (counts.get(bound) ?? 0) + value)
  }
  return [...counts].sort(([a], [b]) => a - b)
}

/**
 * The quantile of the observations between two states of a histogram, by linear interpolation within a bucket, as
 * `histogram_quantile` of Prometheus does. Returns undefined if there are no observations.
 */
export function quantileBetween(
  before: ReturnType<typeof bucketsOf>,
  after: ReturnType<typeof bucketsOf>,
  quantile: number,
): number | undefined {
  const previous = new Map(before)
  const increases = after.map(([bound, count]) => [bound, count - (previous.get(bound) ?? 0)] as const)
  const total = increases.at(-1)?.[1] ?? 0
  if (total <= 0) return undefined
  const rank = quantile * total
  let [lower, below] = [0, 0]
  for (const [bound, count] of increases) {
    if (count >= rank)
      return bound === Infinity ? lower : lower + ((bound - lower) * (rank - below)) / (count - below || 1)
    lower = bound
    below = count
  }
  return undefined
}
