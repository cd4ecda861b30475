import * as v from 'valibot'
import { keywordEndpoints as endpoints } from '#features/insights/keyword-contract.ts'
import { insightsRoutes } from '#features/insights/server/routes.ts'
import type { Ctx } from '#server/context.ts'
import { parseInput } from '#server/http/parse-input.ts'

type Lists = 'topTerms' | 'topKeywords' | 'underperforming' | 'negativeImpact'
type Files = 'exportKeywords' | 'exportUnderperforming' | 'exportImpact'

function handle(what: Lists | Files, caller: Ctx, query: Record<string, string>): unknown {
  const endpoint = endpoints[what]
  const input = parseInput(endpoint as never, { params: undefined, query, body: undefined } as never)
  return insightsRoutes.find(one => one.endpoint === endpoint)?.handler(caller as never, input as never)
}

/** Calls as the server does: the query as text, the answer held to its own schema. */
export async function askKeywords<K extends Lists>(
  what: K,
  caller: Ctx,
  query: Record<string, string> = {},
): Promise<v.InferOutput<(typeof endpoints)[K]['response']>> {
  return v.parse(endpoints[what].response as never, await handle(what, caller, query))
}

/** The lines of the CSV file of a list. */
export async function exportedLines(what: Files, caller: Ctx, query: Record<string, string> = {}): Promise<string[]> {
  const file = (await handle(what, caller, { format: 'csv', ...query })) as { content: AsyncIterable<Uint8Array> }
  const parts: Uint8Array[] = []
  for await (const part of file.content) parts.push(part)
  return Buffer.concat(parts).toString().replace('\ufeff', '').trim().split(/\r?\n/)
}
