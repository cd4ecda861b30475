import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from './config.ts'
import { makeFolder } from './make-folder.ts'

export interface Secrets {
  /** Signs access tokens. */
  tokenSecret: Uint8Array
  /** Keys that encrypt stored tokens of third parties, the current one first. */
  encryptionKeys: { id: string; key: Uint8Array }[]
}

const saved = z.object({
  tokenSecret: z.string().min(32),
  encryptionKeys: z.string(),
  // Missing in files that are older than push notifications.
  vapidKeys: z.string().optional(),
})
type Saved = z.infer<typeof saved>

/** The keys for signing and encryption. Outside production, missing ones are generated once, in the data folder. */
export function readSecrets(config: Config): Secrets {
  const local = config.TOKEN_SECRET && config.ENCRYPTION_KEYS ? undefined : localSecrets(config.TIDELINE_DATA)
  const keys = config.ENCRYPTION_KEYS ?? local?.encryptionKeys ?? ''
  return {
    tokenSecret: new TextEncoder().encode(config.TOKEN_SECRET ?? local?.tokenSecret ?? ''),
    encryptionKeys: ringOf(keys).map(([id, key]) => ({ id, key: Buffer.from(key, 'base64') })),
  }
}

/** Our private keys for push services, in base64url, the current first; in production none unless they are set. */
export function readVapidKeys(config: Config): { id: string; privateKey: string }[] {
  const keys = config.VAPID_KEYS ?? (config.production ? '' : localVapidKeys(config.TIDELINE_DATA))
  return ringOf(keys).map(([id, privateKey]) => ({ id, privateKey }))
}

/** The ids and keys of `id:key,id:key`. */
function ringOf(keys: string): [id: string, key: string][] {
  const entries = keys.split(',').filter(Boolean)
  return entries.map(entry => entry.split(':')).map(([id = '', key = '']) => [id, key])
}

function localVapidKeys(dataDir: string): string {
  const secrets = localSecrets(dataDir)
  if (secrets.vapidKeys) return secrets.vapidKeys
  const vapidKeys = newVapidKeys()
  // Replaced in one step: a process that dies in between must not lose the keys of stored data.
  writeFileSync(`${fileIn(dataDir)}.new`, JSON.stringify({ ...secrets, vapidKeys }), { mode: 0o600 })
  renameSync(`${fileIn(dataDir)}.new`, fileIn(dataDir))
  return vapidKeys
}

function newVapidKeys(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return `local:${privateKey.export({ format: 'jwk' }).d}`
}

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.json')

function localSecrets(dataDir: string): Saved {
  try {
    return saved.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const secrets: Saved = {
    tokenSecret: randomBytes(48).toString('base64url'),
    encryptionKeys: `local:${randomBytes(32).toString('base64')}`,
    vapidKeys: newVapidKeys(),
  }
  makeFolder(dataDir)
  writeFileSync(fileIn(dataDir), JSON.stringify(secrets), { mode: 0o600, flag: 'wx' })
  return secrets
}
