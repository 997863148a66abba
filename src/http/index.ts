export { Connections } from './connections.ts'
export { readRawBody } from './readRawBody.ts'
export { closeServer, listen, listenProblem, serverOf, urlOf } from './server.ts'
