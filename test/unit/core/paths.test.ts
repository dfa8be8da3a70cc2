import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type PathContext, socketPath, storageDir } from '../../../core/kernel/settings/paths.ts'

/** A user without an entry in /etc/passwd and without HOME, as in a container with a numeric user. */
const homeless: PathContext = {
  environment: {},
  home: () => {
    throw new Error('uv_os_homedir returned ENOENT')
  },
}

test('no home folder is needed if storage.dir is set', () => {
  assert.is(storageDir('/var/lib/svc', homeless), '/var/lib/svc')
  assert.is(socketPath(null, '/var/lib/svc', homeless), '/var/lib/svc/run/sync.sock')
  assert.is(storageDir(null, { ...homeless, environment: { XDG_STATE_HOME: '/state' } }), '/state/svc')
})

test('without a home folder and storage.dir the error names storage.dir', () => {
  assert.throws(() => storageDir(null, homeless), /storage\.dir is not set, and this user has no home folder/)
})

test('a relative XDG_STATE_HOME is ignored', () => {
  const context = { environment: { XDG_STATE_HOME: 'state' }, home: () => '/home/ada' }
  assert.is(storageDir(null, context), '/home/ada/.local/state/svc')
})

test.run()
