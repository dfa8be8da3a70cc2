/**
 * Tests Java's own HTTP client, which spells its expectation `100-Continue` (RFC 9110 section 10.1.1: without regard to
 * case).
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { echo } from './cases/common.ts'
import { startRig } from './rig.ts'

const noJava = spawnSync('javac', ['-version']).error === undefined ? undefined : 'javac is not installed'

const source = `import java.net.URI;
import java.net.http.*;
import java.time.Duration;
class Post {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(args[0])).timeout(Duration.ofSeconds(15)).expectContinue(true)
      .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString("{\\"a\\":1}")).build();
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println("answer " + answer.statusCode() + " " + answer.body());
  }
}
`

const test = suite("Java's client")
for (const transport of ['node', 'uws']) {
  testUnless(test, noJava, `an expectation in another spelling gets its 100 from ${transport}`, async () => {
    const rig = await startRig([nodeHttp, uws], [echo], { transport })
    const file = join(folderWith({ 'Post.java': source }), 'Post.java')
    const child = startChild('java', { args: [file, `http://127.0.0.1:${rig.port}/echo`] })
    try {
      await child.waitFor(/answer 200 \{"a":1\}|Exception/, 60_000)
      assert.is(child.out.trim(), 'answer 200 {"a":1}', child.err)
    } finally {
      await child.stop()
      await rig.stop()
    }
  })
}
test.run()
