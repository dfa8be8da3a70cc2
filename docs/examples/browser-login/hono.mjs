import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { client, cookieOf, login, logout, order, page, sessionOf, token } from './shop.mjs'

const app = new Hono()
const session = (c) => sessionOf(c.req.header('cookie'))
const answer = (c, body) => (body === undefined ? c.body(null, 401) : c.json(body, 200, { 'Cache-Control': 'no-store' }))

app.get('/', (c) => c.html(page))
app.get('/client.js', (c) => c.body(client, 200, { 'Content-Type': 'text/javascript' }))
app.post('/login', async (c) => {
  const id = login(await c.req.json())
  return id === undefined ? c.body(null, 401) : c.body(null, 204, { 'Set-Cookie': cookieOf(id) })
})
app.post('/token', async (c) => answer(c, await token(session(c))))
app.post('/order', async (c) => answer(c, await order(session(c))))
app.post('/logout', async (c) => {
  await logout(session(c))
  return c.body(null, 204, { 'Set-Cookie': cookieOf('') })
})

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) }, () => console.log('Listening.'))
