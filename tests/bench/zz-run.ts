import { measureMarket } from './market.ts'
const figs = await measureMarket()
for (const f of figs) console.log(JSON.stringify(f).slice(0, 300))
