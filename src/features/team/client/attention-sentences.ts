import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { kinds } from '#features/notifications/contract.ts'
import type { Client } from '../clients-contract.ts'

/** Why a client needs attention, in a sentence. */
export function reasonOf({ reason, now, before, currency, openAlerts, strongestAlert }: Client): string {
  const spent = now ? formatMoney(now.cost, currency) : ''
  switch (reason) {
    case 'CONNECTION_LOST':
      return 'The connection is lost: connect the account again.'
    case 'SPEND_STOPPED':
      return `The ads stopped: ${before ? formatMoney(before.cost, currency) : ''} were spent the week before.`
    case 'NO_SALES':
      return `${spent} were spent without a sale.`
    case 'ALERTS': {
      const kind = strongestAlert === null ? '' : kinds[strongestAlert].label
      return openAlerts === 1 ? `An alert is open: ${kind}.` : `${openAlerts} alerts are open, the strongest: ${kind}.`
    }
    case 'ACOS_UP':
      return `ACOS rose from ${percent(before?.acos)} to ${percent(now?.acos)}.`
    case 'SALES_DOWN':
      return `Ad sales fell from ${before ? formatMoney(before.sales, currency) : ''} to ${now ? formatMoney(now.sales, currency) : ''}.`
    case 'SPEND_UP':
      return `Ad spend rose from ${before ? formatMoney(before.cost, currency) : ''} to ${spent}.`
    default:
      return now ? 'Nothing unusual.' : 'Not imported yet.'
  }
}

const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? 'unknown' : formatPercent(value, 1)
