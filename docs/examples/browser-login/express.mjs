import express from 'express'
import { client, cookieOf, login, logout, order, page, sessionOf, token } from './shop.mjs'

const app = express()
const session = (request) => sessionOf(request.get('cookie'))
const answer = (response, body) =>
  body === undefined ? response.status(401).end() : response.set('Cache-Control', 'no-store').json(body)

app.get('/', (_, response) => response.type('html').send(page))
app.get('/client.js', (_, response) => response.type('text/javascript').send(client))
app.post('/login', express.json(), (request, response) => {
  const id = login(request.body)
  if (id === undefined) response.status(401).end()
  else response.status(204).set('Set-Cookie', cookieOf(id)).end()
})
app.post('/token', async (request, response) => answer(response, await token(session(request))))
app.post('/order', async (request, response) => answer(response, await order(session(request))))
app.post('/logout', async (request, response) => {
  await logout(session(request))
  response.status(204).set('Set-Cookie', cookieOf('')).end()
})

app.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('Listening.'))
