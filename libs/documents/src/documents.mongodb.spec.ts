import { documentsContract } from './documents.contract.js';
import { overMongoDb } from './testing/mongodb.js';

overMongoDb('a server of MONGODB_URL', ({ openEmpty }) => {
  documentsContract('MongoDB', openEmpty);
});
