import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readSecrets, readVapidKeys } from './secrets.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tideline-secrets-'))
})
afterAll(() => rmSync(root, { recursive: true }))

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://tideline.example',
  TOKEN_SECRET: 'x'.repeat(32),
  ENCRYPTION_KEYS: `k1:${'A'.repeat(43)}=`,
  SMTP_URL: 'smtp://mail.example',
}

test('what is not set is made once and kept, for its owner alone', () => {
  const config = readConfig({ TIDELINE_DATA: join(root, 'fresh') })
  const keys = readVapidKeys(config)
  expect(keys).toEqual([{ id: 'local', privateKey: expect.stringMatching(/^[\w-]{43}$/) }])
  expect(readVapidKeys(config)).toEqual(keys)
  expect(statSync(join(root, 'fresh/secrets.json')).mode & 0o777).toBe(0o600)
})

test('secrets kept before there were pushes stay as they are', () => {
  const file = join(root, 'secrets.json')
  const old = { tokenSecret: 't'.repeat(40), encryptionKeys: `local:${'A'.repeat(43)}=` }
  writeFileSync(file, JSON.stringify(old))
  const config = readConfig({ TIDELINE_DATA: root })
  const before = readSecrets(config)
  const keys = readVapidKeys(config)
  expect(readVapidKeys(config)).toEqual(keys)
  expect(readSecrets(config)).toEqual(before)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(old)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('in production there is no push without keys of its own', () => {
  expect(readVapidKeys(readConfig(production))).toEqual([])
  const [k2, k1] = ['B'.repeat(43), 'C'.repeat(43)]
  expect(readVapidKeys(readConfig({ ...production, VAPID_KEYS: `k2:${k2},k1:${k1}` }))).toEqual([
    { id: 'k2', privateKey: k2 },
    { id: 'k1', privateKey: k1 },
  ])
})
