/** One operation: its parameters, its answers, and a form that sends it. */
import type { ComponentChild, JSX } from 'preact'
import { Badge, Panel } from '../../parts/parts.tsx'
import type { OpenApi, Operation } from './contract.ts'
import { SchemaTree } from './schema-tree.tsx'
import { TryForm } from './try-form.tsx'

/** Shows a text of the contract, in which backticks enclose code. */
function inCode(text: string): readonly ComponentChild[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}

/** Shows the operation. */
export function OperationPage({
  contract,
  operation,
}: {
  readonly contract: OpenApi
  readonly operation: Operation
}): JSX.Element {
  const {
    method,
    path,
    summary,
    description,
    surfaces,
    deprecated = false,
    parameters = [],
    requestBody,
    responses,
  } = operation
  const body = Object.entries(requestBody?.content ?? {})
  return (
    <article class="operation">
      <header>
        <h2>
          <span class={`method method-${method.toLowerCase()}`}>{method}</span> <code class="wrap">{path}</code>
        </h2>
        <p>{summary}</p>
        {description !== undefined && <p class="operation-more">{description}</p>}
        <p class="operation-marks">
          {surfaces.map((surface) => (
            <Badge key={surface}>{surface}</Badge>
          ))}
          {deprecated && <Badge tone="warn">deprecated</Badge>}
        </p>
      </header>
      {surfaces.every((surface) => surface === 'peer') ? (
        <p class="operation-more">
          Only other nodes call this operation, over TLS with their key. The console cannot send it.
        </p>
      ) : (
        <TryForm contract={contract} operation={operation} />
      )}
      {parameters.length > 0 && (
        <Panel title="Parameters">
          <dl class="facts">
            {parameters.map(({ name, in: where, required = false, description: about }) => (
              <div class="fact" key={`${where} ${name}`}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  {about} <span class="operation-more">{`${where}${required ? ', required' : ''}`}</span>
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      {body.map(([type, { schema }]) => (
        <Panel key={type} title="Request body" aside={<code>{type}</code>}>
          {schema !== undefined && <SchemaTree contract={contract} schema={schema} />}
        </Panel>
      ))}
      <Panel title="Answers">
        {Object.entries(responses).map(([status, { description: about, content = {} }]) => (
          <details key={status} class="answer">
            <summary>
              <Badge tone={status.startsWith('2') ? 'ok' : status.startsWith('5') ? 'bad' : 'warn'}>{status}</Badge>
              <span>{inCode(about)}</span>
            </summary>
            {Object.entries(content).map(([type, { schema }]) => (
              <div key={type}>
                <code>{type}</code>
                {schema !== undefined && <SchemaTree contract={contract} schema={schema} />}
              </div>
            ))}
          </details>
        ))}
      </Panel>
    </article>
  )
}
