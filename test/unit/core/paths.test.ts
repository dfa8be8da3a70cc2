import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type PathContext, socketPath, storageDir } from '../../../core/settings/paths.ts'

/** A user without an entry in /etc/passwd and without HOME, as in a container with a number for a user. */
const homeless: PathContext = {
  environment: {},
  home: () => {
    throw new Error('uv_os_homedir returned ENOENT')
  },
}

test('where storage.dir is set, no home folder is needed', () => {
  assert.is(storageDir('/var/lib/svc', homeless), '/var/lib/svc')
  assert.is(socketPath(null, '/var/lib/svc', homeless), '/var/lib/svc/run/sync.sock')
  assert.is(storageDir(null, { ...homeless, environment: { XDG_STATE_HOME: '/state' } }), '/state/svc')
})

test('a user without a home folder is asked for storage.dir', () => {
  assert.throws(() => storageDir(null, homeless), /storage\.dir is not set, and this user has no home folder/)
})

test('a relative XDG_STATE_HOME is ignored', () => {
  const context = { environment: { XDG_STATE_HOME: 'state' }, home: () => '/home/ada' }
  assert.is(storageDir(null, context), '/home/ada/.local/state/svc')
})

test.run()
