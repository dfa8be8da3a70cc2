/** A JSON Schema as a tree of members. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type ContractSchema, type OpenApi, resolved } from './contract.ts'

/** Members below this depth are shown only when the reader opens them, because a schema may refer to itself. */
const OPEN_DEPTH = 2

/** Shows the members and the types of a schema. */
export function SchemaTree({
  contract,
  schema,
  depth = 0,
}: {
  readonly contract: OpenApi
  readonly schema: ContractSchema
  readonly depth?: number
}): JSX.Element {
  const resolvedSchema = resolved(contract, schema)
  const { properties = {}, required = [], items, anyOf, oneOf, description } = resolvedSchema
  const alternatives = anyOf ?? oneOf ?? []
  const members = Object.entries(properties)
  return (
    <div class="schema">
      {members.length === 0 && (
        <p class="schema-type">
          {typeOf(resolvedSchema)} <span class="operation-more">{description}</span>
        </p>
      )}
      {members.map(([name, member]) => (
        <Member
          key={name}
          contract={contract}
          name={name}
          schema={member}
          isRequired={required.includes(name)}
          depth={depth}
        />
      ))}
      {items !== undefined && <SchemaTree contract={contract} schema={items} depth={depth + 1} />}
      {alternatives.map((alternative, index) => (
        <SchemaTree key={index} contract={contract} schema={alternative} depth={depth + 1} />
      ))}
    </div>
  )
}

function Member({
  contract,
  name,
  schema,
  isRequired,
  depth,
}: {
  readonly contract: OpenApi
  readonly name: string
  readonly schema: ContractSchema
  readonly isRequired: boolean
  readonly depth: number
}): JSX.Element {
  const resolvedSchema = resolved(contract, schema)
  const hasMore =
    resolvedSchema.properties !== undefined ||
    resolvedSchema.items !== undefined ||
    (resolvedSchema.anyOf ?? resolvedSchema.oneOf) !== undefined
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH - 1)
  return (
    <div class="schema-member">
      <code>{name}</code>
      {isRequired && <span class="schema-required">required</span>}
      {hasMore ? (
        <button type="button" class="quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {typeOf(resolvedSchema)}
        </button>
      ) : (
        <span class="schema-type">{typeOf(resolvedSchema)}</span>
      )}
      <span class="operation-more">{resolvedSchema.description}</span>
      {hasMore && isOpen && <SchemaTree contract={contract} schema={schema} depth={depth + 1} />}
    </div>
  )
}

function typeOf({ type, enum: values, const: only, title }: ContractSchema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(type)) return type.join(' | ')
  return (type as string | undefined) ?? title ?? 'one of'
}
