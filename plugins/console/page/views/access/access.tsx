/** Keys and devices: the API keys that may call the service, and the devices that may sign changes of its boards. */
import type { JSX } from 'preact'
import { loadedSession } from '../../lib/service.ts'
import { Head, Snippet } from '../../parts/parts.tsx'
import type { View } from '../view.tsx'
import { Devices } from './devices.tsx'
import { Keys } from './keys.tsx'
import './access.css'

/** The view. */
export const access: View = {
  title: 'Keys and devices',
  path: 'access',
  key: 'k',
  icon: 'keys',
  needs: ['keys', 'devices'],
  component: Access,
}

function Access(): JSX.Element {
  const { views, isWritable } = loadedSession()
  return (
    <>
      <Head
        title="Keys and devices"
        about="Programs call the runtime surface with API keys. Devices sign pushes and changes of boards."
      />
      {!isWritable && (
        <div class="how-to-write">
          <p>This console only reads. To create, enrol and revoke, start it with:</p>
          <Snippet text="svc console --write" />
        </div>
      )}
      {views.includes('keys') && <Keys />}
      {views.includes('devices') && <Devices />}
    </>
  )
}
