/** The invitations of this node, for commands of its owner. */
import { randomBytes, randomUUID } from 'node:crypto'
import qrcode from 'qrcode-generator'
import type { CommandIo } from '../../../../core/declare/command.ts'
import { withStore } from '../../api/commands/open-store.ts'
import type { NodeInvitations } from '../../capabilities.ts'
import { requireRights } from '../../engine/devices/devices.ts'
import { createProjectFamilies } from '../../engine/devices/project-families.ts'
import { failInviting, MAX_INVITED_SCOPES } from '../../errors.ts'
import { nativeSha256 } from '../../store-sqlite/native-sha256.ts'
import { drawCode, toCode } from './code.ts'
import { createInvitations, type Invitations } from './invitations.ts'

/** A code is valid for a week at most. */
export const MAX_CODE_SECONDS = 604_800

/** Creates the invitations of the store in the configured folder. The store is open only during each call. */
export function createNodeInvitations(io: CommandIo): NodeInvitations {
  const run = <T>(work: (invitations: Invitations) => Promise<T>): Promise<T> =>
    withStore(io, (store) => work(invitationsOf(store)))
  return {
    async invite({ scopes, label, deviceSeconds, codeSeconds }) {
      if (scopes.length > MAX_INVITED_SCOPES) throw failInviting('invitation_scopes')
      const code = drawCode(randomBytes)
      const made = await withStore(io, (store) => {
        requireRights({ scopes, label }, createProjectFamilies(store))
        return invitationsOf(store).create(code, { scopes: [...new Set(scopes)], label, deviceSeconds, codeSeconds })
      })
      if (made === undefined) throw failInviting('invitation_limit')
      return { id: code.id, code: toCode(code), scopes: made.scopes, expiresAtMs: made.expiresAtMs }
    },
    list: () => run((invitations) => invitations.list()),
    cancel: (id) => run((invitations) => invitations.cancel(id)),
    qrOf(code) {
      const qr = qrOf(code)
      const places = Array.from({ length: qr.getModuleCount() }, (_, i) => i)
      return places.map((row) => places.map((column) => (qr.isDark(row, column) ? '1' : '0')).join(''))
    },
    drawn: (code) => qrOf(code).createASCII(1, 2),
  }
}

/** A QR code with a correction of 15 %, of the smallest size that holds the text. */
function qrOf(text: string): ReturnType<typeof qrcode> {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  return code
}

const invitationsOf = (store: Parameters<typeof createInvitations>[0]['store']): Invitations =>
  createInvitations({ store, sha256: nativeSha256, now: Date.now, uuid: randomUUID })
