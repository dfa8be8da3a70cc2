/** Reads the metrics and labels that a PromQL expression names, as far as the check of a dashboard needs them. */

/** A metric with the labels of its matchers. */
export interface Selected {
  readonly metric: string
  readonly matched: readonly string[]
}

/** A parsed expression. */
export interface Expression {
  readonly selected: readonly Selected[]
  /** Labels of `by` and `on`. */
  readonly grouped: readonly string[]
  /** Whether series are aggregated, so that only the grouped labels remain. */
  readonly aggregates: boolean
}

const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset'])
const AGGREGATION = /\b(?:sum|min|max|avg|count|topk|bottomk|quantile|group)\b/

/** The expression as Prometheus gets it, with values for the variables of the dashboard. */
export function withoutVariables(text: string): string {
  return text.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.+').replaceAll('$job', 'svc')
}

/** Parses an expression. */
export function readExpression(text: string): Expression {
  const bare = withoutVariables(text)
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\[[^\]]*\]/g, '')
  const groups = [...bare.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)]
  const rest = bare.replaceAll(/\b(?:by|on)\s*\([^)]*\)/g, ' ')
  const selected = [...rest.matchAll(/(?<![\w:])\b([a-zA-Z_:][\w:]*)\b(?!\s*\()(?:\s*\{([^}]*)\})?/g)]
    .filter(([, name]) => !OPERATORS.has(name!))
    .map(([, metric, labels = '']) => ({
      metric: metric!,
      matched: [...labels.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label]) => label!),
    }))
  const grouped = groups.flatMap(([, labels]) => labels!.split(',').map((label) => label.trim()))
  return { selected, grouped, aggregates: AGGREGATION.test(bare) }
}
