/**
 * The runtime on Cloudflare Workers, in a Durable Object. Keys, runs and streams are in the memory of a runtime. A Worker may run in many
 * isolates with separate memories; a Durable Object is a single instance for all its requests.
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
  /** One object for each host name, so that tenants with different host names share nothing. */
  fetch(request, env) {
    return env.SVC.get(env.SVC.idFromName(new URL(request.url).hostname)).fetch(request)
  },
}
