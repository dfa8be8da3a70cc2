/** Creates an API key and shows it once. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { chosenUser } from '../../lib/as-user.ts'
import { fullTime } from '../../lib/format.ts'
import { runtime, type ServiceError } from '../../lib/service.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Clamped, Copy, Refusal } from '../../parts/parts.tsx'
import type { ApiKey } from './key-states.ts'
import { readScopes } from './scopes.ts'

/** The answer of the service. No other answer contains the text of the key. */
interface Created {
  readonly key: string
  readonly record: ApiKey
}

const DAY_SECONDS = 86_400
/** The lifetimes that the form offers, in days. The service shortens a lifetime that is longer than it allows. */
const LIVES = [1, 7, 30, 90, 365] as const

/**
 * A dialog. It is the only part of the page that has the text of the key, and the text is gone when the dialog closes.
 */
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
    const fields = new FormData(form)
    const scopes = readScopes(String(fields.get('scopes')))
    const user = chosenUser() === '*' ? '' : chosenUser()
    setBusy(true)
    try {
      const body = {
        name: String(fields.get('name')).trim(),
        expires_in: Number(fields.get('days')) * DAY_SECONDS,
        ...(scopes.length > 0 && { scopes }),
        ...(user !== '' && { user_id: user }),
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
          placeholder="The program that uses it: ci, backup, agent of Ada"
        />
      </label>
      <label>
        Scopes, with spaces between
        <input name="scopes" autocomplete="off" spellcheck={false} placeholder="All scopes of the console" />
        <span class="access-hint">
          A key can only have scopes of its creator. To give scopes to the console, start it with{' '}
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

/** Shows the key. Escape asks before it closes the dialog, because the key cannot be shown again. */
function ShownOnce({ created, onClose }: { readonly created: Created; readonly onClose: () => void }): JSX.Element {
  const [isAsked, setAsked] = useState(false)
  const { key, record } = created
  return (
    <Dialog title="Copy the key now" onClose={() => (isAsked ? onClose() : setAsked(true))}>
      <p>
        This is the only time that the key of <Clamped text={record.name} /> is shown. The service stores only a hash,
        and the console stores nothing.
      </p>
      <div class="snippet secret">
        <code>{key}</code>
        <Copy text={key} label="Copy key" />
      </div>
      <p class="access-hint">
        Send the key as <code>X-API-Key</code>. It expires on {fullTime(record.expires_at_ms)}
        {record.scopes.length === 0 ? ' and has no scopes' : ''}.
      </p>
      {isAsked && (
        <p class="refusal" role="alert">
          The key cannot be shown again. Close this dialog only if you have kept the key.
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
