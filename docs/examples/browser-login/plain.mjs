import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { client, cookieOf, login, logout, order, page, sessionOf, token } from './shop.mjs'

const answer = (response, body) => {
  if (body === undefined) response.writeHead(401).end()
  else
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end(JSON.stringify(body))
}

const routes = {
  'GET /': (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page),
  'GET /client.js': (_, response) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(client),
  'POST /login': async (request, response) => {
    const id = login(await json(request))
    if (id === undefined) response.writeHead(401).end()
    else response.writeHead(204, { 'Set-Cookie': cookieOf(id) }).end()
  },
  'POST /token': async (_, response, session) => answer(response, await token(session)),
  'POST /order': async (_, response, session) => answer(response, await order(session)),
  'POST /logout': async (_, response, session) => {
    await logout(session)
    response.writeHead(204, { 'Set-Cookie': cookieOf('') }).end()
  },
}

createServer(async (request, response) => {
  const route = routes[`${request.method} ${request.url}`]
  if (route === undefined) return response.writeHead(404).end()
  try {
    await route(request, response, sessionOf(request.headers.cookie))
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('Listening.'))
