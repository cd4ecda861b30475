export { exportAsins, listAsins } from './asin-performance/asin-performance.ts'
