import { StrictMode, useEffect, useReducer, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { SvcAgent } from 'svc/ag-ui'

const { baseUrl } = document.body.dataset
const agent = new SvcAgent({
  baseUrl,
  agent: 'writer',
  // The page's own backend knows who is logged in.
  token: async () => (await fetch('/token')).text(),
  // A conversation has an address, so that it can be reloaded and shared.
  threadId: new URLSearchParams(location.search).get('thread') ?? 'demo',
})

/** Joins the conversation while the component is there. */
function useConversation() {
  const [, render] = useReducer((count) => count + 1, 0)
  const [error, setError] = useState()
  useEffect(() => {
    const subscription = agent.subscribe({
      onRunStartedEvent: () => setError(undefined),
      onRunErrorEvent: ({ event }) => setError(event.code ?? event.message),
      onMessagesChanged: render,
      onRunFinalized: render,
      onEvent: render,
    })
    agent.connectAgent().catch((cause) => setError(cause.message))
    return () => {
      subscription.unsubscribe()
      agent.detachActiveRun()
    }
  }, [])
  return error
}

function Page() {
  const error = useConversation()
  const [text, setText] = useState('A sentence, please.')
  const ask = (event) => {
    event.preventDefault()
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
    agent.runAgent().catch((cause) => console.error(cause))
  }
  return (
    <main>
      <ol>
        {agent.messages.map(({ id, role, content }) => (
          <li key={id} className={role}>
            {String(content ?? '')}
          </li>
        ))}
      </ol>
      {error && <p role="alert">{error}</p>}
      <form onSubmit={ask}>
        <input aria-label="Message" value={text} onChange={({ target }) => setText(target.value)} />
        <button disabled={agent.isRunning}>Ask</button>
        <button type="button" disabled={!agent.isRunning} onClick={() => agent.abortRun()}>
          Cancel
        </button>
      </form>
    </main>
  )
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <Page />
  </StrictMode>,
)
