/** Writes the JSON routes of the contract as TypeScript types, for the typed calls of `svc/client`. */

interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly summary?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

/** The parts of an OpenAPI document that describe requests and answers. */
export interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const JSON_TYPE = 'application/json'
const HEAD = `/**
 * The JSON routes of the service, as types. Generated from openapi.json by \`make renew\`, and not edited by hand.
 */
`

/** The text of the module. Routes with bodies other than JSON are left out: streams, metrics, files. */
export function routesType({ paths, components }: ContractDocument): string {
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isJson(operation))
      .map(([method, operation]) => routeText(`${method.toUpperCase()} ${path}`, operation)),
  )
  const used = reachable(routes.join('\n'), components.schemas)
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => `${comment(schema.description, '  ')}  readonly ${name}: ${typeOf(schema, '  ')}\n`)
  return `${HEAD}
/** The schemas of requests and answers, by their names in the contract. */
export interface Schemas {
${schemas.join('')}}

/** Each route: its request, its answers by status, and its error codes. */
export interface Routes {
${routes.join('')}}
`
}

function isJson({ requestBody, responses }: Operation): boolean {
  const answers = Object.entries(responses).filter(([status]) => isAnswer(status))
  const contents = [requestBody?.content, ...answers.map(([, { content }]) => content)]
  return contents.every((content) => content === undefined || JSON_TYPE in content)
}

/** Whether a status is not a refusal. */
const isAnswer = (status: string): boolean => /^[23]/.test(status)

function routeText(name: string, { summary, deprecated, parameters = [], requestBody, responses }: Operation): string {
  const rows: string[] = []
  for (const place of ['path', 'query'] as const) {
    const members = parameters.filter((parameter) => parameter.in === place)
    if (members.length === 0) continue
    const all = members.map(
      ({ name, required, schema }) => `readonly ${key(name)}${required ? '' : '?'}: ${typeOf(schema, '')}`,
    )
    rows.push(`readonly ${place}${members.some(({ required }) => required) ? '' : '?'}: { ${all.join('; ')} }`)
  }
  if (requestBody !== undefined)
    rows.push(
      `readonly body${requestBody.required ? '' : '?'}: ${typeOf(requestBody.content[JSON_TYPE]!.schema, '    ')}`,
    )
  const answers = Object.entries(responses)
    .filter(([status]) => isAnswer(status))
    .map(([status, { content }]) => {
      const schema = content?.[JSON_TYPE]?.schema
      return `readonly ${status}: ${schema === undefined ? 'undefined' : typeOf(schema, '    ')}`
    })
  rows.push(`readonly answers: { ${answers.join('; ')} }`)
  rows.push(`readonly codes: ${codesOf(responses)}`)
  const about = `${summary ?? ''}${deprecated ? '\n@deprecated' : ''}`
  return `${comment(about, '  ')}  readonly '${name}': {\n${rows.map((row) => `    ${row}\n`).join('')}  }\n`
}

/**
 * The codes that the descriptions of the refusals name. A pattern such as `token_*` is left out; the result then
 * lists only the other codes.
 */
function codesOf(responses: Operation['responses']): string {
  const codes = Object.entries(responses)
    .filter(([status]) => !isAnswer(status))
    .flatMap(([, { description }]) => [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `'${code}'`))
  return codes.length === 0 ? 'never' : [...new Set(codes)].sort().join(' | ')
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if (schema.const !== undefined) return `'${schema.const}'`
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map((part) => typeOf(part, indent)).join(' | ')
  if (schema.type === undefined) return 'unknown'
  const types = [schema.type].flat()
  return types.map((type) => plainType(type, schema, indent)).join(' | ')
}

function plainType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent)
      return `readonly ${/ \| |^readonly /.test(item) ? `(${item})` : item}[]`
    }
    case 'object':
      return objectType(schema, indent)
    default:
      return type
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
    return `Readonly<Record<string, ${values}>>`
  }
  const inner = `${indent}  `
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description, inner)}${inner}readonly ` +
      `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}\n`,
  )
  return `{\n${members.join('')}${indent}}`
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
}

function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('*/', '* /').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

/** The schemas that a text refers to, directly or through other schemas. */
function reachable(text: string, schemas: ContractDocument['components']['schemas']): Set<string> {
  const names = new Set<string>()
  const visit = (part: string): void => {
    for (const [, here, there] of part.matchAll(/Schemas\['(\w+)'\]|#\/components\/schemas\/(\w+)/g))
      add((here ?? there)!)
  }
  const add = (name: string): void => {
    if (names.has(name)) return
    names.add(name)
    visit(JSON.stringify(schemas[name]))
  }
  visit(text)
  return names
}
