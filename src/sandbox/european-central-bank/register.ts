import type { FastifyInstance } from 'fastify'
import type { World } from '../core/world.ts'
import { publishedDay, ratesOfDay } from './daily-rates.ts'

function fileOf(day: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">',
    '\t<gesmes:subject>Reference rates</gesmes:subject>',
    '\t<gesmes:Sender>',
    '\t\t<gesmes:name>European Central Bank</gesmes:name>',
    '\t</gesmes:Sender>',
    '\t<Cube>',
    `\t\t<Cube time='${day}'>`,
    ...ratesOfDay(day).map(({ currency, rate }) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`),
    '\t\t</Cube>',
    '\t</Cube>',
    '</gesmes:Envelope>',
  ].join('\n')
}

/** The European Central Bank's daily file of reference rates, by the world's clock. */
export function registerEuropeanCentralBank(app: FastifyInstance, world: World): void {
  app.get('/ecb/stats/eurofxref/eurofxref-daily.xml', (_request, reply) =>
    reply.type('text/xml').send(fileOf(publishedDay(world.clock.now()))),
  )
}
