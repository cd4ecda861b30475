import { type ExchangeRates, toExchangeRates } from '#shared/exchange-rates.ts'
import type { Clock } from '#shared/time.ts'
import { createHttpClient, type HttpLog, type HttpPolicy } from '#server/http-client/http-client.ts'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import { parseDailyFile } from './wire.ts'

interface EuropeanCentralBankOptions {
  baseUrl: string
  clock: Clock
  log: HttpLog
  policy?: Partial<HttpPolicy>
}

export interface EuropeanCentralBank {
  /** The newest reference rates. Rejects with an upstream error when the bank cannot be reached or its file cannot be read. */
  latestRates(): Promise<ExchangeRates>
}

const upstream = 'european-central-bank'
const operation = 'latestRates'
// The file has two kilobytes.
const mostCharacters = 100_000

/** Opens the connection to the bank's daily file. */
export function createEuropeanCentralBank(options: EuropeanCentralBankOptions): EuropeanCentralBank {
  const { baseUrl, clock, log, policy } = options
  const http = createHttpClient({ upstream, log, clock, policy: { timeoutMs: 10_000, ...policy } })
  return {
    latestRates: async () => {
      const { status, body } = await http.sendText({
        operation,
        method: 'GET',
        url: `${baseUrl}/stats/eurofxref/eurofxref-daily.xml`,
        headers: { accept: 'application/xml' },
        effect: 'read',
      })
      try {
        if (body.length > mostCharacters) throw new RangeError('the file is too long')
        const { day, perEuro } = parseDailyFile(body)
        return toExchangeRates(day, perEuro)
      } catch (cause) {
        throw new UpstreamMalformed('not the daily file', { upstream, operation, status, cause })
      }
    },
  }
}
