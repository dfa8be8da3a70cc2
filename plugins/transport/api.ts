/** What other plugins share with the transports. */
import { documented } from '../../core/documented.ts'
import { choice, type Setting } from '../../core/settings/kinds.ts'

/** Which surfaces listen. */
export const modeSetting: { readonly 'server.mode': Setting<'all' | 'runtime' | 'sync'> } = {
  'server.mode': choice({
    default: 'all',
    of: ['all', 'runtime', 'sync'],
    summary: documented('Which surfaces listen: the runtime server, the local sync API, or both.'),
  }),
}
