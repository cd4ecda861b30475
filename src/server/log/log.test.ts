import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function logged(fields: object): string {
  let written = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += chunk
      done()
    },
  })
  createLog({ level: 'info', destination }).info(fields, 'logged')
  return written
}

test.each(['23505', '57P01', 'ECONNREFUSED', 'ERR_HTTP_REQUEST_TIMEOUT', 'VALIDATION_FAILED', 'invalid_grant', 404])(
  'the code %s of an error can be read, wherever it stands',
  code => {
    const error = Object.assign(new Error('failed'), { code })
    for (const fields of [{ code }, { err: error }, { problem: { cause: { code } } }, { errorCode: code }])
      expect(logged(fields)).toContain(`ode":${JSON.stringify(code)}`)
  },
)

test.each([
  'ANdNAVhyhqirUelHGEHA',
  'RHTBVHWaSrAgjFnkdVPn',
  'aHR0cHM6Ly9leGFtcGxl',
  'S_abc-DEF123',
  'ANXGVKPQWERTYUIOPLKJ',
])('the code %s of a consent cannot be read, wherever it stands', code => {
  for (const fields of [{ code }, { body: { code } }, { request: { query: { code, spapi_oauth_code: code } } }])
    expect(logged(fields)).not.toContain(code)
})

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
