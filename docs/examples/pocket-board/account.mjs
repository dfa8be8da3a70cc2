/** The account of a user at the backend of the app, which gives short tokens for the service. */

/** Opens the account. In a browser the cookie of the session is with the browser; elsewhere it is in the notes. */
export function openAccount({ backend, notes }) {
  const post = async (path, body = {}) => {
    const cookie = await notes.get('session')
    return fetch(backend + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) },
      body: JSON.stringify(body),
    })
  }
  let held = { text: '', renewAtMs: 0 }
  return {
    async login(user, password) {
      const { ok, headers } = await post('/login', { user, password })
      if (!ok) throw new Error('The password is wrong.')
      const [cookie] = headers.getSetCookie()
      if (cookie !== undefined) await notes.put('session', cookie.split(';')[0])
    },
    /** The present token. It is renewed at half of its life, so that one which is used always has time left. */
    async token() {
      if (Date.now() < held.renewAtMs) return held.text
      const answer = await post('/token')
      if (!answer.ok) throw new Error(`The backend gives no token: ${answer.status}. Log in again.`)
      const { access_token, expires_in } = await answer.json()
      held = { text: access_token, renewAtMs: Date.now() + expires_in * 500 }
      return held.text
    },
  }
}
