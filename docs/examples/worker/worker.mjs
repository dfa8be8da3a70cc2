/**
 * The runtime on Cloudflare Workers, in a Durable Object. Keys, runs and streams are in the memory of a runtime. A Worker may have many
 * isolates, each with a memory of its own; a Durable Object is one, wherever its requests come from.
 */
import { DurableObject } from 'cloudflare:workers'
import { createRuntime } from 'svc/minimal'

export class Svc extends DurableObject {
  #runtime = createRuntime({ settings: { security: { jwt_secret: this.env.JWT_SECRET } } })

  fetch(request) {
    return this.#runtime.fetch(request, { address: request.headers.get('cf-connecting-ip') ?? undefined })
  }
}

export default {
  /** One object for each host name, so that tenants with names of their own share nothing. */
  fetch(request, env) {
    return env.SVC.get(env.SVC.idFromName(new URL(request.url).hostname)).fetch(request)
  },
}
