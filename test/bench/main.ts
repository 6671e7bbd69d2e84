import { benchSchedule } from "./schedule.js";

await benchSchedule();
