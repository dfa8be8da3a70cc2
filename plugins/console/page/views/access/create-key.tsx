/** Creates an API key and shows it, once. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { fullTime } from '../../lib/format.ts'
import { runtime, type ServiceError } from '../../lib/service.ts'
import { Clamped } from '../../parts/clamped.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Copy, Refusal } from '../../parts/parts.tsx'
import type { ApiKey } from './key-states.ts'
import { readScopes } from './scopes.ts'

/** The answer of the service: the only time that it gives the text of the key. */
interface Created {
  readonly key: string
  readonly record: ApiKey
}

const DAY_SECONDS = 86_400
/** Days that a key may be asked to live; the service cuts what is longer than it allows. */
const LIVES = [1, 7, 30, 90, 365] as const

/** A dialog; the text of the key lives in it and nowhere else, and ends with it. */
export function CreateKey({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: () => void
}): JSX.Element {
  const [created, setCreated] = useState<Created | undefined>(undefined)
  if (created !== undefined) return <ShownOnce created={created} onClose={onClose} />
  return (
    <Dialog title="New API key" onClose={onClose}>
      <KeyForm
        onClose={onClose}
        onCreated={(answer) => {
          setCreated(answer)
          onCreated()
        }}
      />
    </Dialog>
  )
}

function KeyForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: (created: Created) => void
}): JSX.Element {
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const create = async (form: HTMLFormElement): Promise<void> => {
    const given = new FormData(form)
    const scopes = readScopes(String(given.get('scopes')))
    setBusy(true)
    try {
      const body = {
        name: String(given.get('name')).trim(),
        expires_in: Number(given.get('days')) * DAY_SECONDS,
        ...(scopes.length > 0 && { scopes }),
      }
      onCreated(await runtime<Created>('/api/svc/auth/keys', { method: 'POST', body }))
    } catch (cause) {
      setError(cause as ServiceError)
      setBusy(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void create(event.currentTarget)
      }}
    >
      <label>
        Name
        <input
          name="name"
          required
          maxLength={100}
          autocomplete="off"
          placeholder="What uses it: ci, backup, agent of Ada"
        />
      </label>
      <label>
        Scopes, with spaces between
        <input name="scopes" autocomplete="off" spellcheck={false} placeholder="All of the console's own" />
        <span class="access-hint">
          A key has no scope that its creator lacks. The console has those of{' '}
          <code>svc console --scope "kbd:read"</code>.
        </span>
      </label>
      <label>
        Expires after
        <select name="days" defaultValue="30">
          {LIVES.map((days) => (
            <option key={days} value={days} selected={days === 30}>
              {days === 1 ? '1 day' : `${days} days`}
            </option>
          ))}
        </select>
      </label>
      {error !== undefined && <Refusal error={error} />}
      <footer>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={isBusy}>
          Create
        </button>
      </footer>
    </form>
  )
}

/** Escape alone does not close it: what is lost here is lost. */
function ShownOnce({ created, onClose }: { readonly created: Created; readonly onClose: () => void }): JSX.Element {
  const [isAsked, setAsked] = useState(false)
  const { key, record } = created
  return (
    <Dialog title="Copy the key now" onClose={() => (isAsked ? onClose() : setAsked(true))}>
      <p>
        This is the only time that <Clamped text={record.name} /> is shown. The service keeps a hash of it, and the
        console keeps nothing.
      </p>
      <div class="snippet secret">
        <code>{key}</code>
        <Copy text={key} label="Copy key" />
      </div>
      <p class="access-hint">
        Send it as <code>X-API-Key</code>. It expires on {fullTime(record.expires_at_ms)}
        {record.scopes.length === 0 ? ' and has no scopes' : ''}.
      </p>
      {isAsked && (
        <p class="refusal" role="alert">
          The key cannot be shown again. Close it only if you have kept it.
        </p>
      )}
      <footer>
        <button type="button" class="primary" onClick={onClose}>
          I have kept it
        </button>
      </footer>
    </Dialog>
  )
}
