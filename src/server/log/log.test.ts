import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('what must not be written is not, wherever it stands', () => {
  let written = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += chunk
      done()
    },
  })
  const log = createLog({ level: 'info', destination })
  log.info(
    { password: 'planted-1', body: { refreshToken: 'planted-2', inner: { client_secret: 'planted-3' } } },
    'kept',
  )
  expect(written).toContain('kept')
  expect(written).not.toContain('planted')
})
