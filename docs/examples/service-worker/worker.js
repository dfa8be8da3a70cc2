/**
 * The runtime in a service worker: pages of its origin call the API without a server, also offline. The browser ends an idle worker
 * after some seconds. Keys, runs and streams are in the memory of the worker and are lost then, so keep durable data in IndexedDB.
 */
import { createDevToken } from './svc/dev.js'
import { createRuntime } from './svc/minimal/single.mjs'

const PAGE = './index.html'
// Only pages of this origin can call the worker, so it signs a token for them. Each start has a new secret.
const settings = { security: { jwt_secret: crypto.randomUUID() } }
const runtime = createRuntime({ settings })
const token = createDevToken({ settings, sub: 'me' })

addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(caches.open('page').then((cache) => cache.add(PAGE)))
})
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  event.respondWith(pathname.startsWith('/api/') ? answer(event.request) : page(event.request))
})

async function answer(request) {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${await token}`)
  return runtime.fetch(new Request(request, { headers }))
}

/** Answers from the network, and offline with the page that was cached at the installation. */
async function page(request) {
  const kept = async () => (request.mode === 'navigate' ? caches.match(PAGE) : undefined)
  return fetch(request).catch(async () => (await kept()) ?? Response.error())
}
