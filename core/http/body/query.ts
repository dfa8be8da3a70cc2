/** Reads a query against a schema. */
import { checkShape, type Schema, type SchemaIssue } from './json-body.ts'

type Values = Readonly<Record<string, string | readonly string[]>>

/**
 * The query as `schema` describes it. A parameter is a text, and a list of texts if it is repeated. A schema library cannot be asked
 * which parameters are lists, so a text that does not fit is tried as a list of one.
 * @throws SvcError `malformed_request` that names every invalid parameter
 */
export function readQuery<T>(query: string, schema: Schema<T>): T {
  const given = new URLSearchParams(query)
  const values: Values = Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const [first = '', ...more] = given.getAll(name)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
  return checkShape(asLists(values, schema), schema, 'query')
}

/** The values, with a list in place of each text that fits as a list, or whose items are what does not fit. */
function asLists(values: Values, schema: Schema<unknown>): Values {
  const wrong = new Set(issuesOf(values, schema).map(nameOf))
  if (wrong.size === 0) return values
  const lists: Values = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      wrong.has(name) && typeof value === 'string' ? [value] : value,
    ]),
  )
  const left = issuesOf(lists, schema).filter(({ path = [] }) => path.length < 2)
  const notLists = new Set(left.map(nameOf))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, notLists.has(name) ? value : lists[name]!]),
  )
}

function issuesOf(values: Values, schema: Schema<unknown>): readonly SchemaIssue[] {
  const result = schema['~standard'].validate(values)
  return (result instanceof Promise ? undefined : result.issues) ?? []
}

function nameOf({ path: [first] = [] }: SchemaIssue): string {
  return String(typeof first === 'object' ? first.key : first)
}
