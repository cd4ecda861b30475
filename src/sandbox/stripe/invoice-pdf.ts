import type { Account } from './account.ts'
import type { Invoice } from './model.ts'
import { moneyOf } from './subscription-lines.ts'

/** Text of the fonts that every reader has; other characters become question marks. */
const literal = (text: string): string =>
  `(${text
    .replaceAll('×', 'x')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll(/[\\()]/g, '\\$&')})`

/** A file of one page with these lines of text. */
function pdfOf(lines: readonly string[]): Buffer {
  const text = `BT /F1 11 Tf 56 780 Td 18 TL ${lines.map(line => `${literal(line)} Tj T*`).join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** The invoice as a file for printing. */
export function invoicePdf(account: Account, invoice: Invoice): Buffer {
  const { currency } = invoice
  const customer = account.get('customer', invoice.customer)
  return pdfOf([
    `Invoice ${invoice.number}`,
    `Date: ${new Date(invoice.created * 1000).toISOString().slice(0, 10)}`,
    `Bill to: ${customer.name ?? ''} ${customer.email ?? ''}`,
    '',
    ...invoice._lines.map(line => `${line.description ?? 'Item'}: ${moneyOf(line.amount, currency)}`),
    '',
    `Total: ${moneyOf(invoice.total, currency)}`,
    `Amount due: ${moneyOf(invoice.amount_due, currency)}`,
    invoice.status === 'paid' ? 'Paid' : '',
  ])
}
