export { readRawBody } from './readRawBody.ts'
export { closeServer, listen, serverOf, urlOf } from './server.ts'
