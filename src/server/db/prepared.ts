import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'

const mark = '/* prepared */'
const maxTexts = 500
/** Each takes memory in the session that prepared it. */
const maxPerConnection = 60

/**
 * A statement that begins with this is parsed and planned once for each connection instead of each time. For statements that
 * take longer to plan than to execute, and whose best plan is the same for all values: from the sixth time on PostgreSQL
 * may plan without them. It plans again for another role, so that row-level security holds.
 */
export const prepared = sql.raw(`${mark} `)

const names = new LRUCache<string, string>({ max: maxTexts })
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha1').update(text).digest('hex')
  names.set(text, name)
  return name
}

/** Names a connection's prepared statements; the one that was not used for longest gives way to another. */
export function createNaming(client: pg.PoolClient): (text: string) => { name: string; text: string } | null {
  // The library's own record of what it need not send again.
  const { connection } = client as unknown as { connection: { parsedStatements: Record<string, string> } }
  const used = new LRUCache<string, string>({
    max: maxPerConnection,
    dispose: (text, name, reason) => {
      // Ending one that the session does not have would fail its transaction.
      if (reason !== 'evict' || connection.parsedStatements[name] === undefined) return
      delete connection.parsedStatements[name]
      client.query(`deallocate "${name}"`).catch(() => {
        connection.parsedStatements[name] = text
      })
    },
  })
  return text => {
    if (!text.startsWith(mark)) return null
    const name = nameOf(text)
    used.set(name, text)
    return { name, text }
  }
}
