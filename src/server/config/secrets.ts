import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
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

const saved = z.object({ tokenSecret: z.string().min(32), encryptionKeys: z.string() })

/**
 * The signing and wrapping keys. Outside production keys that are not set are made once and kept in the data folder
 * (mode 0600), so that a restart reads what it wrote; production never gets here without them.
 */
export const readSecrets = (config: Config): Secrets => {
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

const localSecrets = (dataDir: string) => {
  const file = join(dataDir, 'secrets.json')
  try {
    return saved.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = {
    tokenSecret: randomBytes(48).toString('base64url'),
    encryptionKeys: `local:${randomBytes(32).toString('base64')}`,
  }
  makeFolder(dataDir)
  writeFileSync(file, JSON.stringify(made), { mode: 0o600, flag: 'wx' })
  return made
}
