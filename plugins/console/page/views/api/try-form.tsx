/** Sends an operation with the console's credential, and shows the answer. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { consoleFetch } from '../../lib/console-fetch.ts'
import { bytes, visible } from '../../lib/format.ts'
import { base } from '../../lib/router.ts'
import { loadedSession, session } from '../../lib/service.ts'
import { authorization, quoted, runtimeUrl } from '../../lib/shell-commands.ts'
import { Badge, Copy, Panel } from '../../parts/parts.tsx'
import { Tree } from '../../parts/tree.tsx'
import { type AnswerText, readAnswerText } from './answer-text.ts'
import { exampleOf, type OpenApi, type Operation, requestPath } from './contract.ts'

interface Answer extends AnswerText {
  readonly status: number
  readonly tookMs: number
  readonly type: string
}

/** A form for the parameters and the body of an operation. */
export function TryForm({
  contract,
  operation,
}: {
  readonly contract: OpenApi
  readonly operation: Operation
}): JSX.Element {
  const { method, parameters = [], requestBody } = operation
  const schema = requestBody?.content['application/json']?.schema
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(() =>
    schema === undefined ? '' : JSON.stringify(exampleOf(contract, schema), null, 2),
  )
  const [answer, setAnswer] = useState<Answer | Error | undefined>(undefined)
  const [isSending, setSending] = useState(false)
  const isAllowed = method === 'GET' || loadedSession().isWritable
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setSending(true)
    setAnswer(await sendOperation(operation, values, schema === undefined ? undefined : body))
    setSending(false)
  }
  return (
    <Panel
      title="Try it"
      aside={
        <Copy label="Copy as curl" text={() => curlOf(operation, values, schema === undefined ? undefined : body)} />
      }
    >
      <form class="try" onSubmit={(event) => void submit(event)}>
        {parameters.map(({ name, in: where, required = false }) => (
          <label key={`${where} ${name}`}>
            {name}
            <input
              required={required}
              value={values[name] ?? ''}
              placeholder={where}
              onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
        {schema !== undefined && (
          <label>
            Body
            <textarea
              class="code"
              rows={Math.min(14, body.split('\n').length + 1)}
              value={body}
              onInput={(event) => setBody(event.currentTarget.value)}
            />
          </label>
        )}
        <div class="try-actions">
          <button type="submit" class="primary" disabled={!isAllowed || isSending}>
            {isSending ? 'Sending' : `Send ${method}`}
          </button>
          {!isAllowed && (
            <span class="operation-more">
              The console only reads. To send this, start it with <code>svc console --write</code>.
            </span>
          )}
        </div>
      </form>
      {answer !== undefined && <AnswerView answer={answer} />}
    </Panel>
  )
}

async function sendOperation(
  operation: Operation,
  values: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Answer | Error> {
  const { method, parameters = [] } = operation
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  for (const { name, in: where } of parameters) {
    const value = values[name] ?? ''
    if (where === 'header' && value !== '') headers[name] = value
  }
  const started = performance.now()
  try {
    const response = await consoleFetch(`${base}/${surfaceOf(operation)}${requestPath(operation, values)}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    const answerText = await readAnswerText(response)
    return {
      status: response.status,
      tookMs: performance.now() - started,
      type: response.headers.get('content-type') ?? '',
      ...answerText,
    }
  } catch (error) {
    return error as Error
  }
}

/**
 * The surface to which the operation is sent. If it is on both surfaces, this is the local one, whose requests are the
 * owner's.
 */
function surfaceOf({ surfaces }: Operation): 'local' | 'runtime' {
  const hasLocal = session.value?.local != null
  return surfaces.includes('runtime') && !(surfaces.includes('local') && hasLocal) ? 'runtime' : 'local'
}

function AnswerView({ answer }: { readonly answer: Answer | Error }): JSX.Element {
  if (answer instanceof Error)
    return (
      <p class="refusal" role="alert">
        {answer.message}
      </p>
    )
  const { status, tookMs, type, text, size, isCut } = answer
  return (
    <div class="try-answer" role="status">
      <p class="operation-marks">
        <Badge tone={status < 400 ? 'ok' : 'bad'}>{status}</Badge>
        <span class="operation-more">
          {type} · {bytes(size)}
          {isCut && ', the beginning'} · {tookMs.toFixed(0)} ms
        </span>
        <Copy text={text} />
      </p>
      <Body type={type} text={text} isCut={isCut} />
    </div>
  )
}

function Body({ type, text, isCut }: Pick<Answer, 'type' | 'text' | 'isCut'>): JSX.Element | null {
  if (text === '') return null
  if (type.startsWith('application/json') && !isCut) {
    try {
      return <Tree value={JSON.parse(text)} />
    } catch {
      // Invalid JSON is shown as text.
    }
  }
  return <pre>{visible(text)}</pre>
}

/** The request as a shell command. */
function curlOf(operation: Operation, values: Readonly<Record<string, string>>, body: string | undefined): string {
  const { method, parameters = [] } = operation
  const path = requestPath(operation, values)
  const fields = parameters.flatMap(({ name, in: where }) =>
    where === 'header' && (values[name] ?? '') !== '' ? [` -H ${quoted(`${name}: ${values[name]}`)}`] : [],
  )
  const bodyOptions = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quoted(body)}`
  const isRuntime = surfaceOf(operation) === 'runtime'
  const target = isRuntime
    ? `${authorization()} ${runtimeUrl(path)}`
    : `--unix-socket "$(svc socket)" ${quoted(`http://svc${path}`)}`
  return `curl -X ${method}${fields.join('')}${bodyOptions} ${target}`
}
