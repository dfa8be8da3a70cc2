/** The API keys of the console's user, and for an operator those of other users. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { chosenUser } from '../../lib/as-user.ts'
import { count, countOf, visible } from '../../lib/format.ts'
import { useKeys } from '../../lib/keys.ts'
import { useLoad } from '../../lib/load.ts'
import { useOperator } from '../../lib/operator.ts'
import { choiceOf } from '../../lib/router.ts'
import { loadedSession, runtime, ServiceError } from '../../lib/service.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Ago, Clamped, Empty, Panel, Refusal } from '../../parts/parts.tsx'
import { UserChoice } from '../../parts/user-choice.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyStateBadge } from './key-state-badge.tsx'
import { type ApiKey, keysWith, sortedKeys, stateOfKey } from './key-states.ts'

/** Number of keys that are shown before the reader asks for all keys. */
const SHOWN = 50

/** Keys of a page of the service, and most keys of all users that are read. */
const PAGE = 1_000
const MOST_READ = 10_000

/** The keys that were read; `isCut` if there are more. */
interface KeyList {
  readonly keys: readonly ApiKey[]
  readonly isCut: boolean
}

/** Reads the keys of the chosen user, or of all users page by page. */
async function readKeys(signal: AbortSignal): Promise<KeyList> {
  const keys: ApiKey[] = []
  const isOfAll = chosenUser() === '*'
  for (let before = ''; ; ) {
    const path = isOfAll ? `/api/svc/auth/keys?all=true&limit=${PAGE}${before}` : '/api/svc/auth/keys'
    const page = await runtime<{ keys: readonly ApiKey[]; next?: string | null }>(path, { signal })
    if (isOfAll && page.next === undefined)
      throw new ServiceError(0, 'not_available', 'This service cannot list the keys of all users.')
    keys.push(...page.keys)
    if (page.next == null) return { keys, isCut: false }
    if (keys.length >= MOST_READ) return { keys, isCut: true }
    before = `&before=${encodeURIComponent(page.next)}`
  }
}

/** Lists the keys. With `--write` it also creates and revokes keys. */
export function Keys(): JSX.Element {
  const { isWritable, runtime: surface } = loadedSession()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey | undefined>(undefined)
  const [isWhole, setWhole] = useState(false)
  const chosen = chosenUser()
  const [find, setFind] = choiceOf('key')
  const { seesKeys } = useOperator()
  const listed = useLoad(readKeys, {
    everyMs: 10_000,
    inputs: [chosen],
  })
  useKeys(isWritable ? [{ keys: 'n', does: 'New API key', run: () => setCreating(true) }] : [])
  const user = chosen === '' ? surface?.user : chosen
  const owner = user == null ? '' : user === '*' ? ' of all users' : ` of ${visible(user)}`
  const users = [...new Set(listed.data?.keys.map(({ user_id }) => user_id))]
  return (
    <Panel
      title={
        <>
          API keys<span class="panel-who">{owner}</span>
        </>
      }
      aside={
        <>
          {seesKeys && <UserChoice users={users} />}
          <input
            type="search"
            placeholder="Search keys"
            aria-label="Search the keys"
            value={find}
            onInput={({ currentTarget }) => setFind(currentTarget.value)}
          />
          {isWritable && (
            <button type="button" class="primary" onClick={() => setCreating(true)}>
              New key
            </button>
          )}
        </>
      }
    >
      <Datum
        of={listed}
        name="the API keys"
        hasNoMatch={({ keys }) => keysWith(keys, find).length === 0}
        empty={({ keys }) =>
          keys.length === 0 ? (
            <Empty title="No API key yet" {...(!isWritable && { command: 'svc console --write' })}>
              With an API key a program calls this service without a token. The key is sent as <code>X-API-Key</code>.
            </Empty>
          ) : undefined
        }
      >
        {({ keys, isCut }) => (
          <>
            <ul class="access-list">
              {sortedKeys(keysWith(keys, find), now.value)
                .slice(0, isWhole ? keys.length : SHOWN)
                .map((key) => (
                  <KeyRow
                    key={key.id}
                    of={key}
                    isOfAll={chosen === '*'}
                    onRevoke={isWritable ? () => setRevoked(key) : undefined}
                  />
                ))}
            </ul>
            {isCut && <p>These are the newest {count(keys.length)} keys; there are more.</p>}
            {!isWhole && keysWith(keys, find).length > SHOWN && (
              <button type="button" class="quiet" onClick={() => setWhole(true)}>
                Show {countOf(keysWith(keys, find).length - SHOWN, 'more key')}
              </button>
            )}
          </>
        )}
      </Datum>
      {isCreating && <CreateKey onClose={() => setCreating(false)} onCreated={listed.reload} />}
      {revoked !== undefined && (
        <RevokeKey of={revoked} onClose={() => setRevoked(undefined)} onRevoked={listed.reload} />
      )}
    </Panel>
  )
}

function KeyRow({
  of,
  isOfAll,
  onRevoke,
}: {
  readonly of: ApiKey
  /** Whether the list has the keys of several users. */
  readonly isOfAll: boolean
  readonly onRevoke: (() => void) | undefined
}): JSX.Element {
  const state = stateOfKey(of, now.value)
  const { name, prefix, scopes, created_at_ms, expires_at_ms, last_used_at_ms, revoked_at_ms } = of
  return (
    <li class={state === 'active' ? undefined : 'access-ended'}>
      <div class="access-name">
        <strong>
          <Clamped text={name} lines={2} />
        </strong>
        <code class="access-id">{visible(prefix)}…</code>
        {isOfAll && (
          <span class="access-user" dir="auto">
            {visible(of.user_id, 60)}
          </span>
        )}
      </div>
      <div class="access-scopes">
        {scopes.length === 0 ? (
          <span class="access-none">no scopes</span>
        ) : (
          scopes.slice(0, 12).map((scope) => <code key={scope}>{visible(scope)}</code>)
        )}
        {scopes.length > 12 && <span class="access-none">{countOf(scopes.length - 12, 'more', 'more')}</span>}
      </div>
      <div class="access-times">
        <span>
          created <Ago timeMs={created_at_ms} />
        </span>
        <span>
          {revoked_at_ms !== null ? 'revoked ' : state === 'expired' ? 'expired ' : 'expires '}
          <Ago timeMs={revoked_at_ms ?? expires_at_ms} />
        </span>
        <span>
          {last_used_at_ms === null ? (
            'never used'
          ) : (
            <>
              used <Ago timeMs={last_used_at_ms} />
            </>
          )}
        </span>
      </div>
      <div class="access-state">
        <KeyStateBadge state={state} />
        {state === 'active' && onRevoke !== undefined && (
          <button type="button" class="quiet" onClick={onRevoke} aria-label={`Revoke ${visible(name, 80)}`}>
            Revoke
          </button>
        )}
      </div>
    </li>
  )
}

/** Among the keys of all users, the request for one key names its user. */
function ofOther({ user_id }: ApiKey): string {
  return chosenUser() === '*' ? `?${new URLSearchParams({ user: user_id })}` : ''
}

function RevokeKey({
  of,
  onClose,
  onRevoked,
}: {
  readonly of: ApiKey
  readonly onClose: () => void
  readonly onRevoked: () => void
}): JSX.Element {
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const revoke = async (): Promise<void> => {
    try {
      await runtime(`/api/svc/auth/keys/${encodeURIComponent(of.id)}${ofOther(of)}`, { method: 'DELETE' })
      onRevoked()
      onClose()
    } catch (cause) {
      setError(cause as ServiceError)
    }
  }
  return (
    <Dialog title="Revoke this key?" onClose={onClose}>
      <p>
        <strong>
          <Clamped text={of.name} lines={2} />
        </strong>
        <code class="access-id">{visible(of.prefix)}…</code>
      </p>
      <p>
        The service refuses requests with this key from now on. This cannot be undone: a program that still needs access
        needs a new key.
      </p>
      {error !== undefined && <Refusal error={error} />}
      <footer>
        <button type="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="danger" onClick={() => void revoke()}>
          Revoke
        </button>
      </footer>
    </Dialog>
  )
}
