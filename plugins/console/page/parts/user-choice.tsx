/** The switch of an operator: whose runs or keys the view shows. */
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { chosenUser } from '../lib/as-user.ts'
import { visible } from '../lib/format.ts'
import { setQuery } from '../lib/router.ts'
import { Badge } from './parts.tsx'

/** Shows the switch. `users` are the users that the page knows of. */
export function UserChoice({ users }: { readonly users: readonly string[] }): JSX.Element {
  const user = chosenUser()
  const [text, setText] = useState(user === '*' ? '' : user)
  const list = useId()
  useEffect(() => setText(user === '*' ? '' : user), [user])
  return (
    <form
      class="user-choice"
      aria-label="As user"
      onSubmit={(event) => {
        event.preventDefault()
        setQuery('user', text.trim() === '' ? undefined : text.trim())
      }}
    >
      {user !== '' && (
        <Badge tone="accent">
          <span dir="auto">{user === '*' ? 'all users' : `as ${visible(user, 60)}`}</span>
        </Badge>
      )}
      <input
        aria-label="User"
        dir="auto"
        placeholder="As user"
        list={list}
        maxLength={256}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <datalist id={list}>
        {users.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="submit" class="small">
        Show
      </button>
      {user !== '*' && (
        <button type="button" class="small" onClick={() => setQuery('user', '*')}>
          All users
        </button>
      )}
      {user !== '' && (
        <button type="button" class="quiet small" onClick={() => setQuery('user', undefined)}>
          Only mine
        </button>
      )}
    </form>
  )
}
