/** The setting that chooses the surfaces of a process. Plugins of several families share this declaration. */
import { documented } from '../documented.ts'
import { choice, type Setting } from './kinds.ts'

/** The setting of the surfaces that listen. */
export const modeSetting: { readonly 'server.mode': Setting<'all' | 'runtime' | 'sync'> } = {
  'server.mode': choice({
    default: 'all',
    of: ['all', 'runtime', 'sync'],
    summary: documented('Which surfaces listen: the runtime server, the local sync API, or both.'),
  }),
}
