import { startWorker } from 'backlot/browser';
import api from '../backlot.config.ts';

await startWorker({ api });
document.title = 'Ready';
