import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from './config.ts'
import { makeFolder } from './make-folder.ts'

export interface Secrets {
  /** Signs access tokens. */
  tokenSecret: Uint8Array
  /** Keys that wrap stored tokens of third parties, the current one first. */
  encryptionKeys: { id: string; key: Uint8Array }[]
}

const saved = z.object({
  tokenSecret: z.string().min(32),
  encryptionKeys: z.string(),
  // Absent in a file of before there were pushes.
  vapidKeys: z.string().optional(),
})
type Saved = z.infer<typeof saved>

/**
 * The signing and wrapping keys. Outside production keys that are not set are made once and kept in the data folder
 * (mode 0600), so that a restart reads what it wrote; production never gets here without them.
 */
export function readSecrets(config: Config): Secrets {
  const own = config.TOKEN_SECRET && config.ENCRYPTION_KEYS ? undefined : localSecrets(config.TIDELINE_DATA)
  const keys = config.ENCRYPTION_KEYS ?? own?.encryptionKeys ?? ''
  return {
    tokenSecret: new TextEncoder().encode(config.TOKEN_SECRET ?? own?.tokenSecret ?? ''),
    encryptionKeys: keys.split(',').map(entry => {
      const [id = '', key = ''] = entry.split(':')
      return { id, key: Buffer.from(key, 'base64') }
    }),
  }
}

/**
 * The private keys by which push services know us, base64url, the current one first. Outside production they are made
 * once and kept when none are set; in production there are none then, and push is off.
 */
export function readVapidKeys(config: Config): { id: string; privateKey: string }[] {
  const keys = config.VAPID_KEYS ?? (config.production ? '' : localVapidKeys(config.TIDELINE_DATA))
  return keys
    .split(',')
    .filter(Boolean)
    .map(entry => {
      const [id = '', privateKey = ''] = entry.split(':')
      return { id, privateKey }
    })
}

function localVapidKeys(dataDir: string): string {
  const kept = localSecrets(dataDir)
  if (kept.vapidKeys) return kept.vapidKeys
  const vapidKeys = newVapidKeys()
  // In one step: a process that ends half way must not lose the keys that open what is stored.
  writeFileSync(`${fileIn(dataDir)}.new`, JSON.stringify({ ...kept, vapidKeys }), { mode: 0o600 })
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
  const made: Saved = {
    tokenSecret: randomBytes(48).toString('base64url'),
    encryptionKeys: `local:${randomBytes(32).toString('base64')}`,
    vapidKeys: newVapidKeys(),
  }
  makeFolder(dataDir)
  writeFileSync(fileIn(dataDir), JSON.stringify(made), { mode: 0o600, flag: 'wx' })
  return made
}
