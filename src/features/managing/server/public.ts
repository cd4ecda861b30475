export { auditColumns, auditEntriesOf, recordManagedCall } from './audit-log.ts'
