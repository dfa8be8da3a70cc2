/** The dialog that asks before a run is cancelled. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../../lib/format.ts'
import { runtime, type ServiceError } from '../../lib/service.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Refusal } from '../../parts/parts.tsx'

/** Asks, and cancels the run. */
export function CancelRun({ runId, onClose }: { readonly runId: string; readonly onClose: () => void }): JSX.Element {
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const cancel = async (): Promise<void> => {
    try {
      await runtime(`/api/svc/runs/${encodeURIComponent(runId)}/cancel`, { method: 'POST' })
      onClose()
    } catch (cause) {
      setError(cause as ServiceError)
    }
  }
  return (
    <Dialog title="Cancel this run?" onClose={onClose}>
      <p>
        <strong>{visible(runId)}</strong>
      </p>
      <p>The run ends as cancelled for all its readers, and takes no further event. This cannot be undone.</p>
      {error !== undefined && <Refusal error={error} />}
      <footer>
        <button type="button" onClick={onClose}>
          Let it run
        </button>
        <button type="button" class="danger" onClick={() => void cancel()}>
          Cancel the run
        </button>
      </footer>
    </Dialog>
  )
}
