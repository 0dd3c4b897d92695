import { startStudio } from '../start.tsx';
import { storePages } from './pages.ts';

startStudio(storePages);
